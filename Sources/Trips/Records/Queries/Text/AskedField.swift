import Events
import Foundation

/// A field as a question in words sees it.
struct AskedField {
    enum Shape: Equatable {
        case value
        /// A set, a list, or the keys of a map.
        case elements
        /// From one field to another.
        case span(last: QueriedField)
        /// A sum, which no condition reads.
        case counter
    }

    let name: String
    let field: QueriedField
    let type: any FieldValue.Type
    let form: FieldForm
    let shape: Shape
    /// What the field counts as where it is cleared; nil if it is nil there.
    let cleared: OrderedValue?

    /// `form` is that of the type unless it says more.
    init(
        _ name: String, _ field: QueriedField, _ type: any FieldValue.Type, _ shape: Shape = .value,
        form: FieldForm? = nil, cleared: OrderedValue? = nil
    ) {
        self.name = name
        self.field = field
        self.type = type
        self.form = form ?? type.form
        self.shape = shape
        self.cleared = cleared
    }

    init(_ field: EntitySchema.Field, on kind: EntityKind) {
        let number = QueriedField.field(field.number)
        switch field.collection?.shape {
        case nil: self.init(field.name, number, field.type, cleared: field.clearedValue(on: kind))
        case .counter?: self.init(field.name, number, Int.self, .counter)
        case .map?: self.init(field.name, number, field.collection?.keyType ?? Data.self, .elements)
        default: self.init(field.name, number, field.type, .elements)
        }
    }

    /// The namespace and the number of an app's field: a name that no other field has; nil for others.
    var longName: String? { if case .field(let number) = field { FieldPath.ownName(of: number) } else { nil } }

    /// The kind of the entity that it names; nil if it names none, or one of any kind.
    var target: (any TripEntity.Type)? { (type as? any ReferenceValue.Type)?.target }

    /// The number of a field that names an entity; nil for others.
    var reference: UInt64? {
        guard shape == .value, target != nil || form == .entity, case .field(let number) = field else { return nil }
        return number
    }

    /// Whether a question that names a field of another kind so asks the same: kinds may have different names for one.
    func isSame(as other: AskedField) -> Bool {
        field == other.field && shape == other.shape && form.words == other.form.words
    }

    /// "which is text", "of which each element is text".
    var words: String {
        switch shape {
        case .value: "which is \(form.words)"
        case .elements: "of which each element is \(form.words)"
        case .span: "which is from \(form.words) to another"
        case .counter: "which is a counter"
        }
    }

    /// How the field is asked for.
    var advice: String {
        switch shape {
        case .elements: "Ask with contains."
        case .span: "Ask with overlaps."
        case .counter: "No question reads it."
        case .value:
            "Ask with "
                + (form != .address ? "=, !=, in, " : "") + (form.isOrdered ? "<, <=, >, >=, between, " : "")
                + (form == .text ? "contains, begins with, is like, " : "") + (form == .address ? "within, " : "")
                + (reference == nil ? "" : target == nil ? "as KIND (…), " : "(…), ") + "is none or is not none."
        }
    }
}
