"""What each template is given: one module a view, one dataclass a template."""
