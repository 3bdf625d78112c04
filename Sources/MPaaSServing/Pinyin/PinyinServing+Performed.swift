import MPaaSPinyin
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import PinyinServingKit
package import ServingKit

extension PinyinServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let records = try await context.timed("index") { try readRecords(in: context) }
    let routes = PinyinRoutes(
      service: PinyinService(records), hosts: hosts, origins: origins, version: version, catalogue: context.catalogue)
    let serving = HTTPServing(on: listen, .requests(bodyLimit: PinyinService.bodyLimit, routes.answer)) {
      ServedPinyin(url: $0, records: records?.generation?.searched.index.count)
    } meanwhile: { wish in
      guard let records, wish == .reload || isWatched && records.isOutdated else { return }
      if let failure = records.reload() { context.terminal.warning(failure) }
    }
    return try serving.run(in: context, results)
  }

  private func readRecords(in context: Context) throws -> ServedRecords? {
    guard let path = data.data ?? index else { return nil }
    let options = try data.options(for: path)
    let readings = try data.searchReadings(in: context)
    return index == nil
      ? try ServedRecords(texts: path, options: options, readings: readings) : try ServedRecords(index: path)
  }
}

/// The announcement of `mpaas pinyin serve` when it is ready.
struct ServedPinyin: Presentable {
  let url: String
  /// The number of records that are searched; nil where only conversion is served.
  let records: Int?

  func document(_ catalogue: Catalogue) -> Document {
    guard let records else { return [.line(StyledText(catalogue.text("text.pinyin-serving", ["url": url])))] }
    return [
      .line(StyledText(catalogue.text("text.pinyin-serving-texts", ["url": url, "count": "\(records)"])))
    ]
  }
}
