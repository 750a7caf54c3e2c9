"""Where to cut a large target: its declarations as a graph, the parts that this falls into, and the cut on a branch."""
