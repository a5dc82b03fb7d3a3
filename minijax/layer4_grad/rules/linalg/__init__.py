"""Matrices. A factorization is differentiated through the equation that its factors satisfy."""

from . import factoring, solving, spectra
