"""The parts of `make run`: the broker, the child processes, what is prepared, what is said."""
