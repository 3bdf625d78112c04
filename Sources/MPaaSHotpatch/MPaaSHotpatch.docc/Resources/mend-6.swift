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

runtime.unload()
print(discounted(5, 8))

let wrong = """
  patch("Cart.discounted", function(price, discount)
    return price - reduced
  end)
  """
let reporting = PatchRuntime.Configuration(report: { failure in print(failure) })
let failing = try PatchRuntime(name: "wrong", files: ["main.lua": wrong], configuration: reporting)
print(discounted(5, 8))
failing.unload()

let endless = """
  patch("Cart.discounted", function(price, discount)
    while true do end
  end)
  """
let stopped = try PatchRuntime(name: "endless", files: ["main.lua": endless], configuration: reporting)
print(discounted(5, 8))
stopped.unload()
