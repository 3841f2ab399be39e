"""The data of the templates: one module for each module of views, one dataclass for each template."""
