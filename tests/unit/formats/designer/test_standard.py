import pytest

from onec_rag.formats.designer.standard import standard_attribute, standard_table


@pytest.mark.parametrize(
    ("kind", "name", "russian"),
    [
        ("Catalog", "Description", "Наименование"),
        ("DocumentJournal", "Type", "Тип"),
        ("ChartOfAccounts", "Type", "Вид"),
        ("CalculationRegister", "ReversingEntry", "Сторно"),
        ("AccountingRegister", "ExtDimension1", "Субконто1"),
        ("AccountingRegister", "ExtDimensionDr2", "СубконтоДт2"),
        ("AccountingRegister", "ExtDimensionTypeCr10", "ВидСубконтоКт10"),
        ("ChartOfAccounts", "ExtDimensionType", "ВидСубконто"),
        ("Catalog", "Novelty", "Novelty"),
        ("Catalog", "", ""),
    ],
)
def test_standard_attributes_have_the_names_of_the_language(kind: str, name: str, russian: str) -> None:
    assert standard_attribute(kind, name) == russian


def test_standard_tables_have_the_names_of_the_language() -> None:
    assert standard_table("ExtDimensionTypes") == "ВидыСубконто"
    assert standard_table("Novelty") == "Novelty"
