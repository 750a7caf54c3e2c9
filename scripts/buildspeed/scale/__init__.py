"""How the cost grows: packages of any size from copies of a real module, measured size after size."""
