import MPaaSLogs

extension LogMerge {
  /// Merges the records of files that were opened.
  package init(_ inputs: LogInputs, _ options: LogReadOptions, threads: Int = LogMerge.processors) {
    self.init(inputs.sources, damage: inputs.damage, options, threads: threads)
  }
}
