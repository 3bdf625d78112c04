import Foundation
import MPaaSRecords

/// The record of the old manual's first chapter.
struct Node: ActiveRecord, Equatable {
  var id: Int64?
  var name = ""
  var topicsCount = 0
  var summary: String?
  var sectionID = 0
  var sort = 0

  enum CodingKeys: String, CodingKey {
    case id, name, summary, sort
    case topicsCount = "topics_count"
    case sectionID = "section_id"
  }
}

/// The nested records of its chapter on databases.
struct Location: ActiveRecord, Equatable {
  var lid: Int
  var lat: Double
  var lon: Double
}

struct Person: ActiveRecord, Equatable {
  var uid: Int
  var name: String
  var location: Location
}

struct Track: ActiveRecord, Equatable {
  var id: Int?
  var title: String
}

struct Album: ActiveRecord, Equatable {
  enum Kind: String, Codable, CaseIterable { case single, long }

  struct Label: Codable, Equatable {
    var name: String
    var years: [Int]
  }

  var id: String
  var kind: Kind
  var released: Date?
  var tags: [String]
  var label: Label?
  var cover: [UInt8]
  var price: UInt16
  var isLive: Bool
  var tracks: [Track]
  var opener: Track?
}
