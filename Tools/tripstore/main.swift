print("tripstore")
