"""What commands share: the application they join, what they are given, print and write."""
