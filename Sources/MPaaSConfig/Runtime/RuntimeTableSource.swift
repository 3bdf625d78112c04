import MPaaSDeclarations
import MPaaSSupport

/// The Swift source of a `RuntimeTable`: what runtime files register, and the types that register themselves.
package struct RuntimeTableSource: Sendable {
  package let findings: [ConfigFinding]
  /// Formatted, and the same for the same input.
  package let source: String

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// - Parameters:
  ///   - target: The module that the table is written for.
  ///   - dependencies: Those that it imports.
  package init(files: [MobileRuntimeFile], target: RuntimeModule, dependencies: [RuntimeModule] = []) {
    var builder = RuntimeTableBuilder(RuntimeTypes(target: target, dependencies: dependencies))
    for file in files { builder.add(file) }
    builder.addRegistered(listedIn: files.first?.document.file ?? "")
    builder.checkLaunchers(files)
    findings = builder.findings
    source =
      RuntimeTableText(
        target: target.name, files: files.map { Self.name($0.document.file) }, imports: builder.imports,
        launcher: files.lazy.compactMap(\.launcher).first, entries: builder.entries
      ).text
  }

  /// The name of a file without its folders.
  static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// An entry of the table.
struct RuntimeTableEntry {
  enum Section: String, CaseIterable {
    case applications, services, modules, controllers
  }

  let section: Section
  /// `ApplicationEntry(name: "demo", …)` in its parts.
  let arguments: [String]
  /// The conditions that must hold for its type to be there.
  let conditions: [String]

  var initializer: String {
    switch section {
    case .applications: "ApplicationEntry"
    case .services: "ServiceEntry"
    case .modules: "ModuleEntry"
    case .controllers: "ControllerEntry"
    }
  }
}

/// Writes a table as swift-format would.
struct RuntimeTableText {
  let target: String
  let files: [String]
  let imports: Set<String>
  let launcher: String?
  let entries: [RuntimeTableEntry]

  private static let width = 120

  var text: String {
    let origin = (files + ["the sources of \(target)"]).joined(separator: ", ")
    var lines = ["// Written by the build-tool plugin RuntimeTable from \(origin); changes are lost.", ""]
    lines += imports.union(["MPaaSFramework"]).sorted().map { "import \($0)" }
    lines += ["", "extension RuntimeTable {", "  /// The micro-apps, services and modules of \(target)."]
    lines += entries.contains { !$0.conditions.isEmpty } ? conditionalTable : plainTable
    lines += ["}", ""]
    return lines.joined(separator: "\n")
  }

  private var plainTable: [String] {
    var parts: [[String]] = []
    if let launcher { parts.append(["    launcher: \(SwiftLiteral.text(launcher))"]) }
    for section in RuntimeTableEntry.Section.allCases {
      let own = entries.filter { $0.section == section }
      guard !own.isEmpty else { continue }
      parts.append(["    \(section.rawValue): ["] + own.flatMap { lines($0, indent: 6, end: ",") } + ["    ]"])
    }
    guard !parts.isEmpty else { return ["  static let mobileRuntime = RuntimeTable()"] }
    for index in parts.indices.dropLast() { parts[index][parts[index].count - 1] += "," }
    return ["  static let mobileRuntime = RuntimeTable("] + parts.joined() + ["  )"]
  }

  private var conditionalTable: [String] {
    let launcher = launcher.map { "launcher: \(SwiftLiteral.text($0))" } ?? ""
    var lines = ["  static let mobileRuntime: RuntimeTable = {", "    var table = RuntimeTable(\(launcher))"]
    for entry in entries {
      let indent = entry.conditions.isEmpty ? 4 : 6
      let opening = "table.\(entry.section.rawValue).append("
      let statement = self.lines(entry, indent: indent + 2, end: ")")
      let block = [String(repeating: " ", count: indent) + opening] + statement
      if entry.conditions.isEmpty {
        lines += block
      } else {
        let all = entry.conditions.count == 1 ? entry.conditions : entry.conditions.map { "(\($0))" }
        lines += ["    #if " + all.joined(separator: " && ")] + block + ["    #endif"]
      }
    }
    return lines + ["    return table", "  }()"]
  }

  /// The lines of an entry: one, or as many as its arguments need.
  private func lines(_ entry: RuntimeTableEntry, indent: Int, end: String) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    let one = blanks + "\(entry.initializer)(" + entry.arguments.joined(separator: ", ") + ")" + end
    if one.count <= Self.width { return [one] }
    var lines = [blanks + "\(entry.initializer)(", blanks + "  "]
    for (index, argument) in entry.arguments.enumerated() {
      let piece = argument + (index == entry.arguments.count - 1 ? ")" + end : ",")
      let last = lines[lines.count - 1]
      let isFresh = last.allSatisfy { $0 == " " }
      if !isFresh, last.count + piece.count + 1 > Self.width {
        lines.append(blanks + "  " + piece)
      } else {
        lines[lines.count - 1] += (isFresh ? "" : " ") + piece
      }
    }
    return lines
  }
}
