package import MPaaSJSON

/// The content of a scaffold file of Bee Framework: servers, enumerations, models and the calls between them.
///
/// Names are those of the file; `ScaffoldModels` and `SwiftAPIWriter` make identifiers of them.
package struct Scaffold: Sendable, Equatable {
  package let title: String?
  package let author: String?
  package let source: String?
  /// The beginning of the names of all types.
  package let prefix: String
  package let servers: [Server]
  package let enumerations: [Enumeration]
  /// Those of the file first, in its order; then those that stand as samples inside others.
  package let models: [Model]
  package let calls: [Call]
  /// The notes on what the reader passed over.
  package let notes: [GenerationError]

  /// The address at which an app in one environment finds the service.
  package struct Server: Sendable, Equatable {
    package let environment: Environment
    /// The beginning of the paths of calls, with its scheme.
    package let url: String
    package let position: TextPosition
  }

  package enum Environment: String, Sendable, CaseIterable {
    case dev, test, staging, release
  }

  package struct Enumeration: Sendable, Equatable {
    package let name: String
    package let cases: [Case]
    package let comment: String?
    package let position: TextPosition

    /// Tells whether the cases are numbers rather than texts.
    package var isNumeric: Bool {
      if case .number? = cases.first?.value { true } else { false }
    }
  }

  package struct Case: Sendable, Equatable {
    package let name: String
    package let value: Value
    package let comment: String?

    package enum Value: Sendable, Hashable {
      case text(String)
      case number(Int)
    }
  }

  package struct Model: Sendable, Equatable {
    package let name: String
    /// The name of the model whose fields it has besides its own.
    package var parent: String?
    package var shape: Shape
    package var comment: String?
    package let position: TextPosition

    package enum Shape: Sendable, Equatable {
      case fields([Field])
      /// Another name of a type: a list, a text.
      case other(FieldType)
    }
  }

  package struct Field: Sendable, Equatable {
    package let name: String
    package var type: FieldType
    /// Marked with `!`: never absent and never null.
    package let isRequired: Bool
    package let comment: String?
    package let position: TextPosition
  }

  /// The type of a value, told from its sample.
  package indirect enum FieldType: Sendable, Equatable {
    /// `null`, or samples that have nothing in common.
    case any
    case bool
    case whole
    case number
    case text
    /// `{}`: an object of anything.
    case object
    case list(FieldType)
    /// `"{NAME}"`, or an object that stands as a sample.
    case model(String)
    /// `"<NAME>"`.
    case enumeration(String)
  }
}

extension Scaffold {
  /// One request to the service and what it answers.
  package struct Call: Sendable, Equatable {
    /// In capitals: `GET`.
    package let method: String
    package let url: URLTemplate
    /// The name that the file gives it.
    package let alias: String?
    package let parameters: [Field]
    package let headers: [Field]
    package let files: [File]
    package let request: FieldType?
    package let response: FieldType?
    package let body: Body
    package let comment: String?
    package let position: TextPosition

    /// The name of a call in errors and comments: `GET /shots/:id`.
    package var title: String { "\(method) \(url.text)" }
  }

  /// The ways in which the fields of a request travel.
  package enum Body: String, Sendable, CaseIterable {
    /// In the query: calls without a body, such as `GET`.
    case query
    case json
    case form
    /// One field of a form, `json`, that holds the whole request as JSON: what Bee's own code sends.
    case jsonField = "json-field"
  }

  package struct File: Sendable, Equatable {
    package let name: String
    package let kind: Kind
    package let isRequired: Bool
    package let comment: String?
    package let position: TextPosition

    package enum Kind: String, Sendable, CaseIterable {
      case jpeg = "{JPG}"
      case png = "{PNG}"
      case any = "{FILE}"
    }
  }
}
