import SnapshotStore
import Testing

@testable import TestSupport

/// The indexes of a schema, for tools.
struct SchemaIndexNamesTests {
  @Test func theyHaveTheOrderOfTheirDeclaration() {
    #expect(Directory.schema.indexNames(ofTable: "people") == ["email", "age", "group", "phone"])
    #expect(Directory.schema.indexNames(ofTable: "words") == [])
    #expect(Directory.schema.indexNames(ofTable: "nothing") == [])
  }
}
