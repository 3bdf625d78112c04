import MPaaSHotpatch

let discounted = Patchable("Cart.discounted") { (price: Double, discount: Double) -> Double in
  price - discount
}

print(discounted(5, 8))
