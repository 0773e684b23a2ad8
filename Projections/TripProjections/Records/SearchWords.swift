package import Events
import Foundation
package import ProjectionEngine
package import Trips

/// The words of entities, for searches: those of fields that a search looks at.
///
/// For each token of an entity a row: 0, the token (1 to 64 bytes, none of them 0), 0, the entity (18). Its value has a bit for each
/// `SearchField` with the token (2). And for each entity a row: 1, the entity (18). Its value is that of `EntityWords`: all tokens with where
/// they stand, for phrases and for questions of which another word is rarer.
///
/// Nothing in the rows ranks: weights are those of the code that reads them. What belongs to a deleted entity has rows; a search leaves it out.
package struct SearchWords: Projection {
    package static let viewName = "search-words"

    package let name = SearchWords.viewName
    package let version = EntityWords.version
    package let source = RowSource.entities
    package let schema: String
    private let fields: SearchedFields

    static let (tokenMark, entityMark): (UInt8, UInt8) = (0, 1)

    package init(_ fields: SearchedFields) {
        self.fields = fields
        schema = fields.fingerprint
    }

    package func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        let row = EntityWords.row(of: try fields.texts(of: entity, record))
        guard !row.isEmpty else { return }
        row.withUnsafeBytes { row in
            EntityWords.forEachToken(in: row) { token in
                sink.put(
                    key: { key in
                        key.append(Self.tokenMark)
                        key.append(contentsOf: token.bytes)
                        key.append(0 as UInt8)
                        key.append(entity)
                    }, value: { $0.append(token.fields) })
            }
            sink.put(
                key: { key in
                    key.append(Self.entityMark)
                    key.append(entity)
                }, value: { $0.append(contentsOf: row) })
        }
    }

    package func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool {
        guard fields.covers(entity) else { return true }
        let (old, new) = (try fields.texts(of: entity, before), try fields.texts(of: entity, after))
        return old.elementsEqual(new) { $0.isSame(as: $1) }
    }

    /// The rows of tokens with a prefix, or of one token.
    static func prefix(_ word: SearchQuestion.Word) -> [UInt8] {
        [tokenMark] + word.bytes + (word.isPrefix ? [] : [0])
    }

    /// Calls `body` with the `EntityWords` of an entity; nil if it has none. O(log n).
    package static func withWords<T>(
        of entity: EntityReference, in lookup: borrowing KeyLookup, _ body: (UnsafeRawBufferPointer) -> T?
    ) throws -> T? {
        try withUnsafeTemporaryAllocation(byteCount: 19, alignment: 1) { bytes in
            bytes.storeBytes(of: entityMark, as: UInt8.self)
            bytes.storeBytes(of: entity.id.uuid, toByteOffset: 1, as: uuid_t.self)
            bytes.storeBytes(of: entity.kind.rawValue.bigEndian, toByteOffset: 17, as: UInt16.self)
            return try lookup.value(of: UnsafeRawBufferPointer(bytes)).flatMap(body)
        }
    }
}
