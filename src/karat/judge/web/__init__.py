"""The workbench: a web application over a desk."""
