"""Batching: functions of one example applied to many at once."""
