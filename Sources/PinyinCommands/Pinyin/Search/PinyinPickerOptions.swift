import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal
import Synchronization

/// The list that one picks from while typing.
struct PinyinPickerOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: .text("command.pinyin.search.interactive"))
  var interactive = false

  @Flag(name: [.short, .long], help: .text("command.pinyin.search.multi"))
  var multi = false

  @Option(help: .text("command.pinyin.search.height", valueName: "rows"))
  var height: Int?

  /// Lets a person pick records, and hands them on.
  ///
  /// - Returns: A negative answer where nothing was picked.
  /// - Throws: `CancellationError` where the list was left without an answer.
  func pick(
    _ query: [String], _ match: PinyinSearchOptions, _ part: RecordPart?, in context: Context, _ results: ResultSink,
    from load: @escaping @Sendable () throws -> SearchedRecords
  ) throws -> ExitStatus {
    var options = PickerOptions()
    options.query = query.joined(separator: " ")
    options.isMultiple = multi
    options.height = height
    options.loading = context.catalogue.text("text.pinyin-picker-loading")
    options.hint = context.catalogue.text(multi ? "text.pinyin-picker-hint-multi" : "text.pinyin-picker-hint")
    let picking = PinyinPicking(match)
    let outcome = try context.terminal.pick(options) { picking.source(try load()) }
    guard case .picked(let numbers, let typed) = outcome, let searched = picking.searched else {
      throw CancellationError()
    }
    if context.terminal.settings.isJSON {
      results.put(text: searched.json(ofPicked: numbers, query: typed))
    } else if !numbers.isEmpty {
      let part = part ?? searched.usualPart
      results.put(text: numbers.map { searched.text(of: $0, part) + "\n" }.joined())
    }
    return numbers.isEmpty ? .negative : .done
  }
}

/// Finds for a picker what is typed, and remembers where it matched.
private final class PinyinPicking: Sendable {
  private struct State {
    var searched: SearchedRecords?
    /// The hits that were found last, by record.
    var hits: [Int: RecordIndex.Hit] = [:]
  }

  private let options: PinyinSearchOptions
  private let state = Mutex(State())

  init(_ options: PinyinSearchOptions) {
    self.options = options
  }

  var searched: SearchedRecords? { state.withLock { $0.searched } }

  func source(_ searched: SearchedRecords) -> PickerSource {
    state.withLock { $0.searched = searched }
    let index = searched.index
    return PickerSource(
      total: index.count,
      find: { text, limit in self.find(PinyinQuery(text, options: self.options), limit, in: index) },
      row: { record, text in self.row(record, PinyinQuery(text, options: self.options), index) })
  }

  private func find(_ query: PinyinQuery, _ limit: Int, in index: RecordIndex) -> PickerFindings {
    guard !query.isEmpty else {
      state.withLock { $0.hits = [:] }
      return PickerFindings(count: index.count, ids: Array(0..<min(index.count, limit)))
    }
    let found = index.search(query, limit: limit)
    state.withLock { $0.hits = Dictionary(found.hits.map { ($0.record, $0) }) { first, _ in first } }
    return PickerFindings(count: found.total, ids: found.hits.map(\.record))
  }

  private func row(_ record: Int, _ query: PinyinQuery, _ index: RecordIndex) -> PickerRow {
    let hit = state.withLock { $0.hits[record] }
    let ranges = hit.map { index.highlights(of: $0, query) } ?? []
    let isSecondary = hit?.isSecondary ?? false
    return PickerRow(
      id: record, text: RowText(index.text(record), highlights: isSecondary ? [] : ranges),
      note: index.secondaryText(record).map { RowText($0, highlights: isSecondary ? ranges : []) })
  }
}
