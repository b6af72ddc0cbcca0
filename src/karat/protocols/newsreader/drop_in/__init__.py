"""The companion programs of the NewsReader evaluation of entity disambiguation: extraction from NAF, and evaluation."""
