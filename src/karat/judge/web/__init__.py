"""The workbench in the browser: pages and acts over a desk."""
