//! Where a program stands.

/// Where a program and its companions stand.
#[derive(Clone, Copy)]
pub enum Home<'a> {
    /// A free function: its companions are in the `impl` of `struct f {}`.
    Holder,
    /// In the `impl` of this type, beside the method.
    Inherent(&'a syn::Type),
    /// In the `impl` of a trait for this type.
    Trait(&'a syn::Type),
    /// In a trait.
    Declaration,
}

impl Home<'_> {
    /// Whether it is a method or an associated function.
    pub fn is_associated(self) -> bool {
        !matches!(self, Home::Holder)
    }
}
