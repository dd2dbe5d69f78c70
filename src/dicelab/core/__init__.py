"""What every room uses: exact numbers, compiled kernels, long work in pieces."""
