import MPaaSLogs
import MPaaSToolSupport

extension LogMerge {
  /// Merges the records of files that were opened.
  package init(_ inputs: LogInputs, _ options: LogReadOptions, threads: Int = Workers.count(limit: 16)) {
    self.init(inputs.sources, damage: inputs.damage, options, threads: threads)
  }
}
