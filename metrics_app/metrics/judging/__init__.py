"""Language models as judges: the question, the endpoint that answers it, and what it said."""
