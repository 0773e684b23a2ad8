import Events
import Foundation

/// What a quick look at the bytes of a value found: that they are well-formed, and break no rule that looks at them alone.
///
/// It is there for speed: nearly all values are fine, and no value needs to be made to see that. Where it finds nothing,
/// the rules themselves say what is wrong, or that nothing is.
struct QuickLook {
    /// Where the value stands among others of its type, for the rule on start and end; nil for types that have none.
    var order: Int64?

    /// Text that is UTF-8 and no longer than it may be.
    static func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= Rules.longestText else { return false }
        do throws(WireError) { try String.check(bytes) } catch { return false }
        return true
    }

    /// Whether a character of ASCII is there that one sees.
    static func hasVisibleASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.contains { 0x21...0x7E ~= $0 } }
}

extension FieldValue {
    /// For types on whose values there is no rule.
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) { try check(bytes) } catch { return nil }
        return QuickLook()
    }
}

extension String {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? { QuickLook.text(bytes) ? QuickLook() : nil }
}

extension Date {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            return Moment.representable ~= (try bytes.onlySigned()) ? QuickLook() : nil
        } catch { return nil }
    }
}

extension Day {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            return QuickLook(order: Int64(try Day(encoded: bytes, strictly: true).daysSince1970))
        } catch { return nil }
    }
}

extension Moment {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            let moment = try Moment(encoded: bytes, strictly: true)
            guard representable ~= moment.milliseconds, moment.timeZone != nil else { return nil }
            return QuickLook(order: moment.milliseconds)
        } catch { return nil }
    }
}

extension Money {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        do throws(WireError) {
            return try Money(encoded: bytes, strictly: true).currency.isKnown ? QuickLook() : nil
        } catch { return nil }
    }
}

extension Address {
    static func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        var reader = WireReader(bytes)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1...5, 7: guard QuickLook.text(try reader.bytes(field)) else { return nil }
                case 6: guard try Coordinates(encoded: try reader.bytes(field)).isInRange else { return nil }
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return QuickLook()
    }
}

extension EntitySchema {
    /// Whether an event that creates or edits an entity is valid for sure, on a quick look: a creation if nothing is held of
    /// the entity, an edit whatever is held.
    func isValidForSure(_ event: TripEvent) -> Bool {
        let isCreation = event.verb == .created
        guard isCreation || event.verb == .edited else { return false }
        var required = 0
        var last: UInt32 = 0
        var order: Int64?
        for write in event.writes {
            // What comes twice, or out of order, is looked at closely.
            guard write.field > last, let field = field(write.field) else { return false }
            last = write.field
            guard let value = write.value else {
                if field.isRequired || field.isJudgedWithOthers { return false }
                continue
            }
            // No bytes are the same as none, to those who read them.
            guard !value.isEmpty, isCreation || !field.isJudgedWithOthers else { return false }
            guard let look = value.withUnsafeBytes({ field.quickLook($0) }) else { return false }
            if field.isRequired { required += 1 }
            if field.isJudgedWithOthers {
                // The start has the lower number.
                guard let place = look.order, order.map({ $0 <= place }) ?? true else { return false }
                order = place
            }
        }
        return !isCreation || required == requiredCount
    }
}

extension EntitySchema.Field {
    func quickLook(_ bytes: UnsafeRawBufferPointer) -> QuickLook? {
        if isName && !QuickLook.hasVisibleASCII(bytes) { return nil }
        return type.quickLook(bytes)
    }
}
