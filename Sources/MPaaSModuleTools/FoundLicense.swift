import MPaaSSupport

/// The license of a folder, by the first lines of its text.
enum FoundLicense {
  /// Sentences that only one license has, with its identifier of SPDX.
  private static let signs = [
    ("Apache License Version 2.0", "Apache-2.0"), ("MIT License", "MIT"),
    ("Permission is hereby granted, free of charge", "MIT"), ("BSD 3-Clause", "BSD-3-Clause"),
    ("BSD 2-Clause", "BSD-2-Clause"), ("BSD Zero Clause", "0BSD"), ("Mozilla Public License Version 2.0", "MPL-2.0"),
    ("GNU LESSER GENERAL PUBLIC LICENSE Version 3", "LGPL-3.0-or-later"),
    ("GNU GENERAL PUBLIC LICENSE Version 3", "GPL-3.0-or-later"),
  ]

  /// - Returns: nil where there is no text of a license, or one that is not known.
  static func identifier(in folder: String) -> String? {
    let names = ((try? FileSystem.names(in: folder)) ?? []).filter { name in
      ["license", "licence", "copying"].contains { name.lowercased().hasPrefix($0) }
    }
    for name in names {
      guard let bytes = try? Bytes.reading("\(folder)/\(name)", limit: 1 << 20) else { continue }
      let words = String(decoding: bytes.array.prefix(1000), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ").replacing(",", with: "").lowercased()
      let found = signs.first { text.contains($0.0.replacing(",", with: "").lowercased()) }
      if let found { return found.1 }
    }
    return nil
  }
}
