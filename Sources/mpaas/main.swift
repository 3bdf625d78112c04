print("mpaas")
