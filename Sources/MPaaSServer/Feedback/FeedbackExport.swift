import Hummingbird
import MPaaSCrashReport
import MPaaSProtocol
import MPaaSSupport
import NIOCore

/// Feedback as a file: CSV for spreadsheets, or a JSON object a line.
enum FeedbackExport: String, Sendable, CaseIterable {
  case csv
  case jsonl

  /// Pieces of feedback that are read at once.
  private static let piece = 200

  var type: String { self == .csv ? "text/csv; charset=utf-8" : "application/x-ndjson" }
  var filename: String { "feedback.\(rawValue)" }

  /// The answer, read piece by piece while it is sent.
  func response(_ filter: FeedbackStore.Filter, _ services: ServerServices) -> Response {
    let body = ResponseBody { writer in
      var filter = filter
      filter.limit = Self.piece
      try await writer.write(ByteBuffer(string: head))
      while true {
        let asked = filter
        let entries = try await services.store.read { try FeedbackStore.entries(asked, in: $0) }
        guard let last = entries.last else { break }
        try await writer.write(ByteBuffer(string: entries.map(line).joined()))
        filter.before = last.number
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: type, .contentDisposition: "attachment; filename=\"\(filename)\"", .cacheControl: "no-store",
      ], body: body)
  }

  /// The columns, behind the mark by which spreadsheets know UTF-8.
  var head: String { self == .csv ? "\u{feff}" + Self.columns.joined(separator: ",") + "\r\n" : "" }

  private static let columns = [
    "number", "received", "state", "category", "text", "contact", "user", "mobile", "device", "version", "locale",
    "pictures", "replies",
  ]

  func line(_ entry: FeedbackEntry) -> String {
    guard self == .csv else { return FeedbackStore.json(entry) + "\n" }
    let received = CrashReport.Timestamp(seconds: Int64(entry.received)).text(digits: 0)
    let cells = [
      String(entry.number), String(received.prefix(19)), entry.state.rawValue, entry.category, entry.text,
      entry.contact ?? "", entry.user ?? "", entry.mobile ?? "", entry.device, entry.version, entry.locale ?? "",
      String(entry.pictures.count), entry.messages.compactMap(\.text).joined(separator: "\n"),
    ]
    return cells.map(Self.cell).joined(separator: ",") + "\r\n"
  }

  /// A cell in quotes; what a spreadsheet would take for a formula is marked as text (RFC 4180).
  ///
  /// Some take the wide signs of East Asian keyboards for signs, and pass over control characters before one.
  private static func cell(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { $0.value < 0x20 || "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
    return "\"\(isFormula ? "'" : "")\(text.replacing(each: "\"", with: "\"\""))\""
  }
}
