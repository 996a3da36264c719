"""The fields of each kind of row, and the names the field has for them."""

from functools import cache

from annotation.importing.rows import Kind

ITEM_NAMES = (
    "item_id", "item", "id", "item_key", "seg_id", "segid", "segment_id", "global_seg_id",
    "source_id", "doc_id", "document_id", "example_id",
    "example_idx", "instance_id", "sample_id", "prompt_id",
    "question_id", "dialogue_id", "article_id", "review_id", "ent_id", "idx", "uid", "guid",
    "key", "row", "row_id", "task_id", "hit_id", "input_id", "input_item_id", "input_doc_id",
    "custom_id", "entity", "entity_id", "business_id", "product_id", "hotel_id", "asin",
    "conversation_id", "summary_id", "text_id", "sent_id", "sentence_id", "line_id", "pair_id",
    "hash", "external_id", "unit_id", "bbcid", "image_id", "video_id", "post_id", "story_id",
    "qid", "query_id", "dialog_id", "passage_id", "context_id", "case_id", "problem_id", "utt_id",
    "itemid", "articleid", "sampleid", "orig_sent_id", "gem_id", "item_no", "item_nr",
    "item_number",
)  # fmt: skip
SYSTEM_NAMES = (
    "system", "model", "system_id", "model_id", "system_name", "model_name", "model_type", "method",
    "generator", "sys", "sysid", "engine", "summarizer", "input_system", "input_model",
    "input_model_type", "input_model_id", "input_system_id", "input_method", "system_label",
    "model_label", "system_code", "policy", "team", "submission", "submission_name", "setup_id",
    "provider", "llm", "llm_name", "generator_name", "generator_id",
    "target_id", "sys_name", "team_name",
)  # fmt: skip
LANGUAGE_NAMES = ("language", "lang", "locale", "target_lang", "tgt_lang")
# Names that say that a program made the text; beside them `text` is the source, and `summary`,
# `target` and `translation` are references.
MADE_NAMES = (
    "output", "prediction", "hypothesis", "hyp", "generated", "generation", "generated_text",
    "decoded", "candidate", "model_output", "system_output", "generated_summary", "model_summary",
    "system_summary", "predicted_summary", "generated_output", "machine_translation", "pred",
    "actual_output", "predicted_text", "predicted", "predicted_answer", "generated_answer",
    "generated_response", "model_response", "model_answer", "system_response", "llm_response",
    "llm_output", "decoded_summary", "generated_translation", "hypo", "pred_text", "mt",
)  # fmt: skip
OUTPUT_NAMES = (
    *MADE_NAMES, "response", "completion", "summary", "translation", "text", "answer", "target",
    "output_text", "subject_line", "input_summary", "input_output", "input_text", "input_response",
    "input_hypothesis", "answer_summary", "answer_output", "answer_text", "target_text", "caption",
    "claim", "simplification", "simplified", "simp_sent", "paraphrase", "sys_text",
)  # fmt: skip
SOURCE_NAMES = (
    "source", "src", "source_text", "document_text", "article", "dialogue", "reviews", "review",
    "input", "prompt", "question", "query", "context", "email", "body", "premise", "passage",
    "document", "sources", "input_text_source", "input_dialogue", "input_source", "input_article",
    "input_document", "input_review", "input_reviews", "input_prompt", "input_src", "instruction",
    "user_input", "post", "meaning_representation", "mr", "article_text", "source_document",
    "source_sentence", "original", "original_text", "original_sentence", "orig_sent", "complex",
    "complex_sentence",
)  # fmt: skip
REFERENCE_NAMES = (
    "reference_text", "reference_summary", "gold_summary", "ref_summary", "human_reference",
    "reference_output", "reference_translation", "gold_reference", "highlights", "expected",
    "expected_output", "ideal", "ground_truth", "groundtruth", "gold_answer", "reference_answer",
    "gold_text", "target_summary", "human_summary", "ref_text", "target", "summary", "translation",
)  # fmt: skip

FIELDS: dict[Kind, dict[str, tuple[str, ...]]] = {
    "outputs": {
        "item_id": ITEM_NAMES,
        "system": SYSTEM_NAMES,
        "output": OUTPUT_NAMES,
        "source": SOURCE_NAMES,
        "reference": ("reference", "references", "ref", "refs", "gold", *REFERENCE_NAMES),
        "prior_reference": ("prior_reference", "prior_references", "prior", "background"),
        "fact": ("fact", "facts", "triples", "acu", "acus", "scu", "scus"),
        "language": LANGUAGE_NAMES,
        "domain": ("domain", "genre", "category_name", "dataset", "topic"),
        "document": ("doc", "document_name", "docid", "document"),
        "batch": ("batch", "batch_id", "batch_number"),
        "output_version": ("output_version",),
        "system_kind": ("system_kind", "kind_of_system"),
    },
    "ratings": {
        "item_id": ITEM_NAMES,
        "system": SYSTEM_NAMES,
        "judge": (
            "judge", "rater_id", "rater", "annotator", "annotator_id", "worker_id", "worker",
            "judge_id", "user", "user_id", "username", "participant", "participant_id", "coder",
            "coder_id", "evaluator", "evaluator_id", "prolific_pid", "prolific_id", "subject_id",
            "turker", "login", "assignment_worker_id", "annotator_name", "rater_name", "judge_name",
            "expert_id", "assessor", "assessor_id", "reviewer", "reviewer_id", "turker_id",
            "participant_public_id", "participant_private_id", "respondent_id", "respondent",
            "email", "email_address", "e_mail",
        ),
        "judge_group": ("judge_group", "rater_group", "group", "annotator_group", "role"),
        "dimension": (
            "dimension", "criterion", "aspect", "quality", "attribute", "question_name", "category",
        ),
        "value": ("value", "score", "rating", "label_value", "judgment", "judgement", "grade"),
        "text": ("text", "answer_text", "comment_text"),
        "label": ("label",),
        "missing_reason": ("missing_reason",),
        "phase": ("phase",),
        "batch": ("batch", "batch_id", "batch_number"),
        "output_version": ("output_version", "version"),
        "fact_id": ("fact_id",),
        "position": ("position",),
        "is_check": ("is_check",),
        "repeat_of": ("repeat_of",),
        "valid": ("valid",),
        "excluded_by": ("excluded_by",),
        "late": ("late",),
        "origin": ("origin",),
        "opened_at": (
            "opened_at", "accept_time", "start_time", "started_at", "assignment_started",
        ),
        "submitted_at": (
            "submitted_at", "submit_time", "end_time", "created_at", "timestamp", "completion_time",
            "assignment_submitted", "submitdate", "submit_date", "completed_at",
        ),
        "active_seconds": (
            "active_seconds", "work_seconds", "work_time_in_seconds", "seconds", "lead_time",
            "duration", "time_seconds",
        ),
        "revision": ("revision",),
        "source": tuple(name for name in SOURCE_NAMES if name not in {"email", "body"}),
        "output": tuple(name for name in OUTPUT_NAMES if name not in {"text", "answer"}),
    },
    "scores": {
        "item_id": ITEM_NAMES,
        "system": SYSTEM_NAMES,
        "metric": ("metric", "metric_name", "measure", "scorer"),
        "score": ("score", "value", "metric_score", "metric_value"),
    },
}  # fmt: skip
# A choice has what a rating has, but for what is about one output.
FIELDS["comparisons"] = {
    **{
        name: names
        for name, names in FIELDS["ratings"].items()
        if name not in {"system", "value", "label", "output_version", "fact_id", "source", "output"}
    },
    **{
        f"system_{letter}": tuple(
            f"{what}{sign}"
            for sign in (f"_{letter}", f"_{n}", f"{n}")
            for what in ("system", "model")
        )
        for n, letter in enumerate("abcde", start=1)
    },
    "choice": ("choice", "preference", "preferred", "winner", "label"),
    "ranking": ("ranking", "ranks", "ranked_systems", "preference_order"),
    "rank": ("rank",),
}

NEEDED: dict[Kind, tuple[str, ...]] = {
    "outputs": ("item_id", "system", "output"),
    "ratings": ("item_id", "system", "judge", "dimension", "value"),
    "scores": ("item_id", "system", "metric", "score"),
    "comparisons": ("item_id", "system_a", "system_b", "judge", "dimension", "choice"),
}
MEASURES: dict[Kind, str] = {
    "outputs": "output",
    "ratings": "value",
    "scores": "score",
    "comparisons": "choice",
}
# Names that leave open which column is meant, where a table has two of them.
RIVALS: dict[Kind, tuple[frozenset[str], ...]] = {
    "outputs": (
        frozenset({"system", "model", "method", "generator"}),
        frozenset((
            "output", "prediction", "hypothesis", "generated", "generation", "generated_text",
            "model_output", "system_output", "decoded", "candidate",
        )),
    ),
    "ratings": (
        frozenset({"system", "model", "method", "generator"}),
        frozenset({"value", "score", "rating", "judgment", "judgement", "grade"}),
        frozenset({"judge", "rater", "annotator", "worker", "coder", "evaluator"}),
    ),
    "scores": (
        frozenset({"system", "model", "method", "generator"}),
        frozenset({"metric", "measure", "scorer"}),
    ),
    "comparisons": (frozenset({"judge", "rater", "annotator", "worker", "coder", "evaluator"}),),
}  # fmt: skip
# The fields that may stand in several columns of one row.
REPEATED = frozenset({"source", "reference", "prior_reference", "fact"})
# The column that holds the name of the sheet, where a workbook has a sheet for each item.
SHEET = "sheet"
QUALITIES = frozenset((
    "fluency", "coherence", "consistency", "relevance", "informativeness", "overall",
    "adequacy", "accuracy", "faithfulness", "readability", "grammaticality", "grammar",
    "coverage", "quality", "naturalness", "appropriateness", "engagingness", "factuality",
    "correctness", "clarity", "conciseness", "usefulness", "helpfulness", "non_redundancy",
    "redundancy", "structure", "focus", "aspect_relevance", "self_coherence",
    "sentiment_consistency", "coherance", "simplicity", "meaning_preservation", "diversity",
    "toxicity", "safety", "interestingness", "specificity", "style",
))  # fmt: skip

# Names of lists and objects that hold several outputs.
OUTPUT_SETS = frozenset((
    "outputs", "predictions", "model_outputs", "system_outputs", "generations", "summaries",
    "hypotheses", "candidates", "responses", "completions", "translations", "models", "systems",
    "model_summaries", "hyps", "texts", "answers", "decoded_outputs", "generated_texts",
))  # fmt: skip

# The commonest names in other languages, folded; letters with and without their accents.
ABROAD = {
    "item_id": (
        "artikel_id", "beispiel_id", "dokument_id", "kennung", "identifiant", "id_article",
        "id_exemple", "identificador", "id_ejemplo", "id_documento", "identificativo", "编号",
        "序号", "样本编号", "番号", "번호", "ид", "номер",
    ),
    "system": (
        "modell", "système", "systeme", "modèle", "modele", "sistema", "modelo", "modello", "系统",
        "模型", "システム", "モデル", "시스템", "모델", "система", "модель",
    ),
    "output": (
        "ausgabe", "zusammenfassung", "antwort", "übersetzung", "sortie", "résumé", "resume",
        "réponse", "traduction", "salida", "resumen", "respuesta", "saída", "saida", "resumo",
        "uscita", "riassunto", "输出", "摘要", "译文", "出力", "要約", "출력", "요약", "вывод",
        "ответ", "перевод",
    ),
    "source": (
        "quelle", "quelltext", "eingabe", "texte_source", "entrée", "entree", "fuente",
        "texto_fuente", "entrada", "fonte", "源文", "原文", "输入", "入力", "원문", "입력",
        "источник", "исходный_текст",
    ),
    "reference": (
        "referenz", "référence", "référence_humaine", "referencia", "referência", "riferimento",
        "参考", "参考译文", "参照", "참조", "эталон",
    ),
    "judge": (
        "bewerter", "bewerterin", "gutachter", "annotateur", "évaluateur", "evaluateur",
        "anotador", "evaluador", "avaliador", "annotatore", "valutatore", "评审", "标注者",
        "评价者", "評価者", "평가자", "эксперт", "оценщик",
    ),
    "dimension": (
        "kriterium", "merkmal", "critère", "critere", "criterio", "critério", "维度", "标准",
        "基準", "기준", "критерий",
    ),
    "value": (
        "bewertung", "wert", "punkte", "note", "valeur", "puntuación", "puntuacion", "valor",
        "pontuação", "valore", "punteggio", "评分", "分数", "評価", "点数", "점수", "оценка",
    ),
}  # fmt: skip


def names_of(field: str, kind: Kind) -> tuple[str, ...]:
    """Return every column name that feeds a field, folded, in the order of preference."""
    names = FIELDS[kind][field]
    abroad = ABROAD.get("value" if field == "score" else field, ())
    return (*names, *(name for name in abroad if name not in names))


@cache
def known_names() -> frozenset[str]:
    """Return every column name that some kind of row knows, folded."""
    names = {
        name
        for kind, fields in FIELDS.items()
        for field in fields
        for name in names_of(field, kind)
    }
    return frozenset(names | {"outputs", "predictions", "summaries"} | QUALITIES)


@cache
def named_otherwise() -> frozenset[str]:
    """Return the column names that say what a column holds, so that it is no system's."""
    compared = {name for letter in "abcde" for name in FIELDS["comparisons"][f"system_{letter}"]}
    return known_names() - QUALITIES - OUTPUT_SETS - compared
