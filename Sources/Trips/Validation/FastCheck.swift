import Events
import Foundation

/// Fast path: accepts values that are obviously valid, that is, well-formed and breaking no rule on the value alone;
/// the rest takes the full check.
///
/// It exists for speed: nearly all values are valid, and this proves it without decoding them. If it proves nothing,
/// the full rules name the fault, or find none.
struct FastCheck {
    /// The value's order among others of its type, for the rule on start and end; nil for types without one.
    var order: Int64?

    /// Text that is UTF-8 and not too long.
    static func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= Rules.longestText else { return false }
        do throws(WireError) { try String.check(bytes) } catch { return false }
        return true
    }

    /// Whether there is a visible ASCII character.
    static func hasVisibleASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.contains { 0x21...0x7E ~= $0 } }
}

extension FieldValue {
    /// For types without rules on their values.
    static func checkWithoutRules(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        do throws(WireError) { try check(bytes) } catch { return nil }
        return FastCheck()
    }
}

// Each type implements it, so that a rule that is added to one is not forgotten here.

extension Bool {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension Identifier where Entity: TripEntity {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        // Which of the apps' kinds it is says the id: the full check reads it.
        Entity.kind == .own || EntityReference.idBytes(in: bytes, of: Entity.kind) == nil ? nil : FastCheck()
    }
}

extension PaidStatus {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension ProcessingStatus {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension PlanningStage {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension UUID {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension Rank {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        bytes.count <= ListRank.longest ? FastCheck() : nil
    }
}

extension TransportationMode {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { checkWithoutRules(bytes) }
}

extension String {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? { FastCheck.text(bytes) ? FastCheck() : nil }
}

extension Date {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        do throws(WireError) {
            return Moment.representable ~= (try bytes.onlySigned()) ? FastCheck() : nil
        } catch { return nil }
    }
}

extension Day {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        do throws(WireError) {
            return FastCheck(order: Int64(try Day(encoded: bytes, strictly: true).daysSince1970))
        } catch { return nil }
    }
}

extension Moment {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        var milliseconds: Int64 = 0
        var isZoneKnown = false
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: milliseconds = try reader.signed(field)
                case 2:
                    // Each, if it occurs twice: the rules read all.
                    guard TimeZoneCache.isKnown(try reader.bytes(field)) else { return nil }
                    isZoneKnown = true
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        guard isZoneKnown, representable ~= milliseconds else { return nil }
        return FastCheck(order: milliseconds)
    }
}

extension Money {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        var isCurrencyKnown = false
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: _ = try reader.signed(field)
                case 2:
                    guard Currency.codes.contains(try reader.bytes(field)) else { return nil }
                    isCurrencyKnown = true
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return isCurrencyKnown ? FastCheck() : nil
    }
}

extension Address {
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1...5, 7: guard FastCheck.text(try reader.bytes(field)) else { return nil }
                case 6: guard try Coordinates(encoded: try reader.bytes(field)).isInRange else { return nil }
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return FastCheck()
    }
}

extension EntitySchema {
    /// Whether the fast path proves an event valid that creates or edits an entity: a creation if nothing is held of
    /// the entity, an edit as far as it can be judged alone.
    ///
    /// It writes `count` fields; `part` returns each with its new value, nil if it clears the field.
    @inline(__always)
    func isValidOnFastPath(
        _ verb: Verb, _ count: Int, _ part: (Int) -> (field: UInt64, value: UnsafeRawBufferPointer?)
    ) -> Bool {
        let isCreation = verb == .created
        guard isCreation || verb == .edited else { return false }
        var required = 0
        var last: UInt64 = 0
        // Of the start and the end, if they are written: nil if they are cleared.
        var (start, end): (Int64??, Int64??)
        // Of further starts and ends, which few events write.
        var further: [(field: UInt64, order: Int64?)] = []
        for index in 0..<count {
            let (number, value) = part(index)
            // Repeated or unordered fields take the full check.
            guard number > last, let rules = rules(number) else { return false }
            last = number
            var order: Int64?
            if let value {
                // Readers treat an empty value as none.
                guard !value.isEmpty, let check = rules.fastCheck(value) else { return false }
                order = check.order
                if rules.isRequired { required += 1 }
            } else if rules.isRequired {
                return false
            }
            if number == span?.start {
                start = .some(order)
            } else if number == span?.end {
                end = .some(order)
            } else if rules.isInFurtherSpan {
                further.append((number, order))
            }
        }
        guard !isCreation || required == requiredCount else { return false }
        if !further.isEmpty {
            let halves = (start == nil) != (end == nil) && (start ?? end) != .some(nil) ? 1 : 0
            guard areInOrder(further, isCreation: isCreation, otherHalves: halves) else { return false }
        }
        guard let start, let end, let first = start, let last = end else { return true }
        return first <= last
    }

    /// Whether further starts and ends are in order as far as they are written together. Of an edit that writes one without the other, one
    /// remains to be checked as `HalfOfSpan`; more take the full check.
    private func areInOrder(
        _ written: [(field: UInt64, order: Int64?)], isCreation: Bool, otherHalves: Int
    ) -> Bool {
        var halves = otherHalves
        for span in spans.dropFirst() {
            let start = written.first { $0.field == span.start }
            let end = written.first { $0.field == span.end }
            if let start, let end {
                if let first = start.order, let last = end.order, first > last { return false }
            } else if (start ?? end)?.order != nil {
                halves += 1
            }
        }
        return isCreation || halves <= 1
    }
}

extension EntitySchema.FieldRules {
    func fastCheck(_ bytes: UnsafeRawBufferPointer) -> FastCheck? {
        if hasOwnRule || isName && !FastCheck.hasVisibleASCII(bytes) { return nil }
        return type.fastCheck(bytes)
    }
}
