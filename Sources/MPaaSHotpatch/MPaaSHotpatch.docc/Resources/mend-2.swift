import MPaaSHotpatch

let discounted = Patchable("Cart.discounted") { (price: Double, discount: Double) -> Double in
  price - discount
}

print(discounted(5, 8))
print(PatchRegistry.shared.symbolListFile(app: "com.example.shop", version: "8.1.0"))
