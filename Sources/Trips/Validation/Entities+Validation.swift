extension Trip {
    /// Throws `emptyName`, `tooLong`, `endBeforeStart` or `dateOutOfRange`.
    public func validate(changing fields: Set<Field>) throws(ValidationError) {
        try check(fields) { field throws(ValidationError) in
            switch field {
            case .name: try Rules.name(name)
            case .destination: try Rules.text(destination)
            case .notes: try Rules.text(notes)
            case .startDay, .endDay: try Rules.order(startDay, endDay)
            case .originalCreation: try Rules.date(originalCreation)
            case .isProtected: break
            }
        }
    }
}

extension Item {
    /// Throws `emptyName`, `missingTrip`, `tooLong`, `endBeforeStart`, `unknownTimeZone`, `dateOutOfRange`,
    /// `unknownCurrency` or `invalidCoordinates`.
    public func validate(changing fields: Set<ItemField>) throws(ValidationError) {
        try check(fields) { field throws(ValidationError) in try self.fields.check(field) }
    }
}

extension Organization {
    /// Throws `emptyName`, `tooLong` or `invalidCoordinates`.
    public func validate(changing fields: Set<Field>) throws(ValidationError) {
        try check(fields) { field throws(ValidationError) in
            switch field {
            case .name: try Rules.name(name)
            case .phone: try Rules.text(phone)
            case .email: try Rules.text(email)
            case .website: try Rules.text(website)
            case .logoURL: try Rules.text(logoURL)
            case .address: try Rules.address(address)
            }
        }
    }
}
