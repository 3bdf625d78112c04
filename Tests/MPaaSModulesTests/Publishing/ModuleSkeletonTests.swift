import MPaaSModuleTools
import MPaaSModules
import MPaaSTestSupport
import Testing

@Suite("The first manifest of a module") struct ModuleSkeletonTests {
  @Test("lists frameworks and bundles, names the module after its framework, and asks the binary for the system")
  func framework() throws {
    let sample = try SampleModule()
    try sample.remove("module.toml")
    let manifest = try ModuleSkeleton(of: sample.path).manifest
    #expect(manifest.name == "CartKit")
    #expect(manifest.contents.frameworks == ["CartKit.framework"])
    #expect(manifest.contents.bundles == ["Cart.bundle"])
    #expect(manifest.contents.headers == [])
    #expect(Set(manifest.platforms.keys) == [.ios])
  }

  @Test("lists libraries with folders of headers, and sources only where nothing is built")
  func libraries() throws {
    let sample = try SampleModule()
    for path in ["module.toml", "CartKit.framework", "Cart.bundle"] { try sample.remove(path) }
    try sample.write("include/cart/cart.h", "int cart(void);\n")
    try sample.write("Sources/cart.c", "int cart(void) { return 1; }\n")
    try sample.write("Sources/private.h", "\n")
    let sources = try ModuleSkeleton(of: sample.path).manifest.contents
    #expect(sources.sources == ["Sources"])
    #expect(sources.headers == ["include"])
    try sample.write("lib/libcart.a", "!<arch>\n")
    let built = try ModuleSkeleton(of: sample.path).manifest.contents
    #expect(built.libraries == ["lib/libcart.a"])
    #expect(built.sources == [])
  }

  @Test("is a manifest that is read as it was meant, and leaves blanks for what is not known")
  func text() throws {
    let sample = try SampleModule()
    try sample.remove("module.toml")
    let skeleton = try ModuleSkeleton(of: sample.path, name: "Cart", version: ModuleVersion("2.0"))
    #expect(try ModuleManifest(reading: skeleton.text) == skeleton.manifest)
    #expect(skeleton.text.contains("# summary"))
    #expect(skeleton.text.contains("# license"))
  }

  private static let licenses: [(text: String, identifier: String?)] = [
    ("MIT License\n\nCopyright", "MIT"), ("   Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
    ("Ask us.", nil),
  ]

  @Test("knows common licenses by their texts", arguments: licenses)
  func license(text: String, identifier: String?) throws {
    let sample = try SampleModule()
    try sample.write("LICENSE", text)
    #expect(try ModuleSkeleton(of: sample.path).manifest.license == identifier)
  }
}
