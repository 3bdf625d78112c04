print("order book")
