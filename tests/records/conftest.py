"""Property tests without deadlines, so that a busy machine tries the same examples as an idle one."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
