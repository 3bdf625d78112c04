import Testing

@testable import MPaaSProject

@Suite("The kind of a file in a project") struct FileKindTests {
  @Test(
    "follows from the end of its name, in any case",
    arguments: [
      ("App/A.swift", "sourcecode.swift", .sources), ("A.SWIFT", "sourcecode.swift", .sources),
      ("a.b/c.mm", "sourcecode.cpp.objcpp", .sources), ("a.h", "sourcecode.c.h", .headers),
      ("Pay.xcframework", "wrapper.xcframework", .frameworks), ("liba.a", "archive.ar", .frameworks),
      ("A.xcassets", "folder.assetcatalog", .resources), ("Info.plist", "text.plist.xml", .resources),
      ("A.entitlements", "text.plist.entitlements", .none), ("A.xcconfig", "text.xcconfig", .none),
      ("en.lproj/A.strings", "text.plist.strings", .resources),
    ] as [(String, String, FileKind.Phase)])
  func known(path: String, type: String, phase: FileKind.Phase) {
    #expect(FileKind(path: path).type == type)
    #expect(FileKind(path: path).phase == phase)
  }

  @Test("is a text of no phase without an end", arguments: ["LICENSE", "a.b/Makefile", "", "/"])
  func noEnd(path: String) {
    #expect(FileKind(path: path).type == "text")
    #expect(FileKind(path: path).phase == .none)
  }

  @Test("is a resource where the end is not known", arguments: ["a.unknown", "a.价", "a.swift "])
  func unknown(path: String) {
    #expect(FileKind(path: path).type == "file")
    #expect(FileKind(path: path).phase == .resources)
  }
}

@Suite("The manifest of a package") struct PackageManifestTests {
  private func products(_ body: String) -> PackageProducts {
    PackageManifest.products("let package = Package(name: \"P\", products: [\n\(body)\n])")
  }

  @Test("declares products by literals")
  func literals() {
    let found = products(".library(name: \"A\", targets: []), .executable(\n name:  \"B\"), .plugin(name: \"C\")")
    #expect(Set(found.names) == ["A", "B", "C"])
    #expect(found.isComplete)
  }

  @Test("names each product once")
  func twice() {
    #expect(products(".library(name: \"A\"), .library(name: \"A\")").names == ["A"])
  }

  @Test("does not declare what stands in a comment")
  func comments() {
    #expect(products("// .library(name: \"A\"),\n.library(name: \"B\") // .library(name: \"C\")").names == ["B"])
  }

  @Test(
    "is not complete where names are made when it runs",
    arguments: [
      ".library(name: prefix + \"A\")", ".library(name: \"\\(x)\")", ".library(name: \"\")", ".library(name:",
    ])
  func computed(body: String) {
    #expect(products(body).names == [])
    #expect(!products(body).isComplete)
  }

  @Test("is not complete where its products come from elsewhere")
  func elsewhere() {
    #expect(!PackageManifest.products("let package = Package(name: \"P\", products: all)").isComplete)
  }

  @Test("declares nothing where there is nothing", arguments: ["", "products:", "let a = 1", ".library(\"A\")"])
  func nothing(text: String) {
    #expect(PackageManifest.products(text).names == [])
  }
}
