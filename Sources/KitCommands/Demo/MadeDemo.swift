import CommandKit
import MPaaSDemo
import MPaaSTerminal
import MPaaSToolSupport

/// The folder that was made, with what lies in it and what to try first.
struct MadeDemo: Presentable {
  let folder: String
  let parts: [DemoPart]
  /// Shell lines, to be typed one after another.
  let next: [String]

  init(_ demo: DemoFolder) {
    folder = demo.path
    parts = demo.parts
    let tries: [DemoPart: String] = [
      .modules: "mpaas sdk registry add main registry --root registry/metadata/1.root.json",
      .patch: "mpaas hotpatch test fix --symbols symbols.json", .crash: "mpaas crash show crashes/*.ips",
      .server: "mpaas serve --data data",
    ]
    next = ["cd \(demo.path.shellWord())", ". ./env"] + demo.parts.compactMap { tries[$0] }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [
      .line(StyledText(catalogue.text("text.demo-made", ["folder": folder]), .good)), .line(""),
    ]
    for (name, key) in contents {
      document.line("  " + StyledText(name.padded(toWidth: 14), .path) + StyledText(catalogue.text("text.demo-" + key)))
    }
    document.line()
    document.line(StyledText(catalogue.text("text.demo-next"), .heading))
    for line in next { document.line("  " + StyledText(line, .emphasis)) }
    return document
  }

  /// The names in the folder, and the keys of the texts that say what they are.
  private var contents: [(String, String)] {
    let all: [DemoPart: [(String, String)]] = [
      .modules: [("registry/", "registry"), ("modules/", "modules"), ("Shop/", "project")],
      .patch: [("fix/", "patch"), ("symbols.json", "symbols")], .crash: [("crashes/", "crash")],
      .server: [("data/", "data")],
    ]
    return parts.flatMap { all[$0] ?? [] } + [("home/", "home"), ("bin/", "programs"), ("env", "settings")]
  }
}
