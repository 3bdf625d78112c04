/// Names of tables and columns.
package enum SQLName {
  /// The name as it is, or in quotes where SQLite would take it for something else.
  package static func quoted(_ name: String) -> String {
    needsQuotes(name) ? "\"" + name.replacing("\"", with: "\"\"") + "\"" : name
  }

  static func needsQuotes(_ name: String) -> Bool {
    let isPlain =
      name.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5f }
      && name.utf8.first.map { !(0x30...0x39).contains($0) } == true
    return !isPlain || keywords.contains(name.uppercased())
  }

  /// `GHUserModel` as `gh_user_model`; `Order` as `order_table`, since the name stands in statements without quotes.
  package static func table(of type: String) -> String {
    let scalars = Array(type)
    var name = ""
    for (index, character) in scalars.enumerated() {
      guard character.isLetter || character.isNumber || character == "_" else {
        if !name.isEmpty, name.last != "_" { name += "_" }
        continue
      }
      let isStart =
        character.isUppercase && index > 0
        && (scalars[index - 1].isLowercase || scalars[index - 1].isNumber
          || (index + 1 < scalars.count && scalars[index + 1].isLowercase && scalars[index - 1].isUppercase))
      if isStart, name.last != "_" { name += "_" }
      name += character.lowercased()
    }
    return keywords.contains(name.uppercased()) ? name + "_table" : name
  }

  /// SQLite's keywords (sqlite.org/lang_keywords.html).
  private static let keywords = Set(
    """
    ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE CASE
    CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
    DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE
    EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE
    IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH
    MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA
    PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING
    RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION
    UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
