"""What is stored of a study, its material, its judges and what they said."""
