package import MPaaSSupport
package import Testing

/// The identifier of the refusal that `body` throws; nil where it throws none.
package func refusal(_ body: () throws -> some Any) -> String? {
  do {
    _ = try body()
    return nil
  } catch let error as any DiagnosticConvertible {
    return error.diagnostic.id.name
  } catch {
    return "\(error)"
  }
}

/// Expects a refusal by its identifier and exit status.
package func expectRefusal(
  _ id: String, exit: MPaaSSupport.ExitStatus = .notPermitted, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch let error as any DiagnosticConvertible {
    #expect(error.diagnostic.id.name == id, sourceLocation: sourceLocation)
    #expect(error.diagnostic.exit == exit, sourceLocation: sourceLocation)
  } catch {
    Issue.record("another error: \(error)", sourceLocation: sourceLocation)
  }
}
