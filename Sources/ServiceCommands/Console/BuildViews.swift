import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// Builds, a line each.
struct BuildList: Presentable {
  let builds: [BuildEntry]

  func document(_ catalogue: Catalogue) -> Document {
    let rows = builds.map { build in
      [
        StyledText(build.id, .emphasis), StyledText(build.kind), StyledText(build.name), StyledText(build.identifier),
        StyledText(build.version), StyledText(build.build),
        StyledText(ByteCount(UInt64(clamping: build.size)).description, .number),
        StyledText(MomentText.utc(build.added), .faint),
      ]
    }
    return consoleTable(
      ["id", "kind", "name", "identifier", "version", "build", "size", "added"], rows, catalogue, numeric: ["size"])
  }
}

/// A build with all that is known of it.
struct BuildView: Presentable {
  let build: BuildEntry

  func encode(to encoder: any Encoder) throws { try build.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    let signature = build.signature
    let facts: [(String, String?)] = [
      ("id", build.id), ("kind", build.kind), ("name", build.name), ("identifier", build.identifier),
      ("version", build.version), ("build", build.build), ("minimum", build.minimumSystem), ("file", build.filename),
      ("size", ByteCount(UInt64(clamping: build.size)).description), ("sha256", build.sha256),
      ("team", signature?.team), ("profile", signature?.profile), ("distribution", signature?.distribution),
      ("expires", signature?.expires.map { MomentText.utc(Double($0)) }), ("certificate", signature?.certificate),
      ("added", MomentText.utc(build.added)), ("author", build.author),
    ]
    let rows = facts.compactMap { key, value in
      value.flatMap { $0.isEmpty ? nil : [StyledText(catalogue.text("text.console-column-\(key)")), StyledText($0)] }
    }
    let links = (build.links ?? []).map { link in
      [
        StyledText(catalogue.text("text.console-column-link")),
        StyledText("\(link.id)  \(catalogue.text("text.console-until", ["time": MomentText.utc(link.expires)]))"),
      ]
    }
    let columns = ["fact", "value"].map {
      Table.Column(catalogue.text("text.console-column-\($0)"), isOptional: false)
    }
    return [.table(Table(columns: columns, rows: rows + links))]
  }
}

/// A link that was made, with its address.
struct BuildLinkView: Presentable {
  let link: BuildLink

  func encode(to encoder: any Encoder) throws { try link.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(link.url ?? ""))] }
}
