"""The parts of Scripts/torture: each makes faults of one kind, and counts the results."""
