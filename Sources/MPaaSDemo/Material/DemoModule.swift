/// A module of the demo's registry: one header, and what it needs.
struct DemoModule {
  let name: String
  let version: String
  let note: String
  var needs: [String: String] = [:]

  /// Modules of which some versions fit together and others do not.
  static let all = [
    DemoModule(name: "Network", version: "2.4.0", note: "Certificates are pinned."),
    DemoModule(name: "Network", version: "3.0.0", note: "HTTP/3."),
    DemoModule(name: "Payment", version: "1.3.0", note: "Refunds.", needs: ["Network": "^2"]),
    DemoModule(name: "Payment", version: "2.0.0", note: "Cards of all kinds.", needs: ["Network": "^3"]),
    DemoModule(name: "Feed", version: "2.0.0", note: "Faster.", needs: ["Network": "^3"]),
    DemoModule(name: "Feed", version: "2.1.0", note: "Pictures.", needs: ["Network": "^3"]),
  ]

  /// The folder of its sources, below that of the demo.
  var folder: String { "modules/\(name)-\(version)" }

  /// The name of the archive that `mpaas registry pack` makes of it.
  var archive: String { "\(name)-\(version).tar.zst" }

  /// Its files by their paths below the demo's folder.
  ///
  /// - Parameter platform: The platform that it is for.
  func files(for platform: String) -> [String: String] {
    [
      "\(folder)/include/\(name).h": "int \(name)(void);\n",
      "\(folder)/LICENSE": "Free to use for any purpose; comes without warranty.\n",
      "\(folder)/module.toml": manifest(platform),
    ]
  }

  private func manifest(_ platform: String) -> String {
    var text = """
      [module]
      name = "\(name)"
      version = "\(version)"
      license = "0BSD"
      summary = { en = "\(name) for shops.", zh-Hans = "商店的 \(name)。" }

      [platforms]
      \(platform)

      [notes]
      en = "\(note)"
      zh-Hans = "\(note)"

      [contents]
      headers = ["include"]

      """
    if !needs.isEmpty { text += "\n[dependencies]\n" }
    for (name, requirement) in needs.sorted(by: { $0.key < $1.key }) { text += "\(name) = \"\(requirement)\"\n" }
    return text
  }
}
