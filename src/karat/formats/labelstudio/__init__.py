"""The format ``labelstudio``: tasks with the annotations and predictions of Label Studio."""
