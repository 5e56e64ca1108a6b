"""The parts of Scripts/torture: each makes faults of one kind happen, and counts what came of them."""
