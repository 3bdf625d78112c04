/// Clones as comma-separated values, a row for each place (RFC 4180).
package enum CloneCSV {
  package static func write(_ report: CloneReport, _ put: (String) -> Void) {
    put("clone,type,tokens,lines,similarity,file,start,end\r\n")
    for (index, found) in report.clones.enumerated() {
      for span in found.spans {
        let similarity = (found.clone.similarity * 1000).rounded() / 1000
        let cells = [
          "\(index + 1)", "\(found.clone.type.rawValue)", "\(found.clone.tokens)", "\(span.end - span.start + 1)",
          "\(similarity)", cell(report.sources[span.source].path), "\(span.start)", "\(span.end)",
        ]
        put(cells.joined(separator: ",") + "\r\n")
      }
    }
  }

  private static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
