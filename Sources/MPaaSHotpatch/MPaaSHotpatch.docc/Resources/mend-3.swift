import MPaaSHotpatch

let discounted = Patchable("Cart.discounted") { (price: Double, discount: Double) -> Double in
  price - discount
}

print(discounted(5, 8))

let patch = """
  patch("Cart.discounted", function(price, discount)
    return math.max(0.0, ORIG(price, discount))
  end)
  """
let runtime = try PatchRuntime(name: "no less than zero", files: ["main.lua": patch])
print(discounted(5, 8))
